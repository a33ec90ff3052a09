"""The range and what of it is in stock."""

from __future__ import annotations

from typing import Annotated, Any

from reach_tui import Keywords, World, tool
from reach_tui.contrib.commerce import purposes
from reach_tui.contrib.commerce.common import Sku, the_product, yuan


@tool(effect="read", entity="products", purpose=purposes.SEARCH_PRODUCTS)
def search_products(
    w: World,
    query: Annotated[
        str,
        "A word of the name in Chinese or English, a category, or part of a SKU, for example 耳机 or keyboard.",
        Keywords(minLength=1),
    ],
) -> dict[str, Any]:
    """Find articles and their SKUs by name, with price and whether they can be returned. Says nothing of stock.
    按名称搜索商品和货号、价格。"""
    words = query.lower().split()

    def matches(text: str) -> bool:
        return all(word in text for word in words)

    found = w.products.where(lambda one: matches(f"{one.id} {one['name']} {one['name_en']} {one['category']}".lower()))
    return {
        "products": [
            {
                "sku": one.id,
                "name": f"{one['name']} / {one['name_en']}",
                "price": yuan(one["price_minor"]),
                "returnable": one["returnable"],
            }
            for one in found
        ],
        **({} if found else {"note": "Nothing found; try one shorter word."}),
    }


@tool(effect="read", entity="stock", entity_arg="sku", purpose=purposes.CHECK_STOCK)
def check_stock(w: World, sku: Sku) -> dict[str, Any]:
    """How many pieces of one article can be sold now, and when more will come. For several articles use
    check_stock_batch. 查询单个商品的库存。"""
    return _line(w, sku)


@tool(effect="read", entity="stock", batch_of="check_stock", purpose=purposes.CHECK_STOCK_BATCH)
def check_stock_batch(
    w: World,
    skus: Annotated[list[Sku], "Article numbers, up to 20.", Keywords(minItems=1, maxItems=20)],
) -> dict[str, Any]:
    """How many pieces of each of several articles can be sold now, and when more will come: one call instead of many.
    一次查询多个商品的库存。"""
    return {"stock": [_line(w, sku) for sku in dict.fromkeys(skus)]}


def _line(w: World, sku: str) -> dict[str, Any]:
    product = the_product(w, sku)
    stock = w.stock[sku]
    return {
        "sku": sku,
        "name": f"{product['name']} / {product['name_en']}",
        "available": stock["available"],
        "restock_on": stock["restock_on"],
    }

"""What each tool is wanted for, in the words of those who want it, English and Chinese. Never shown to an agent."""

GET_ORDER = (
    "See the details of one order: what was bought, item numbers, prices, total sum, shipping fee, "
    "payment method, the address on it, the day it was signed for, the record of its refunds and "
    "exchanges with number and amount.\n"
    "订单详情、订单明细、买了什么、商品编号、一共多少钱、怎么付的款、用什么支付、填的收货地址、哪天签收的、退"
    "款记录、退款编号、退了多少钱、退款批了没有。"
)
GET_ORDER_STATUS = (
    "How far the shop has got with an order: paid or unpaid, packed, sent out, completed, cancelled; "
    "its present state and when that changed.\n"
    "订单状态、订单处理到哪一步、付款了没有、打包了没有、发货了没有、订单完成了没有、状态什么时候更新的。"
)
SEARCH_ORDERS = (
    "Which orders does a customer have: list all their orders, purchases, order history, recent "
    "orders, when they forgot or do not know the order number; orders by membership number, with "
    "date, total and status.\n"
    "我的订单、名下所有订单、全部订单、列出订单、订单列表、历史订单、最近买过什么、顾客不知道单号、忘了订单号"
    "、单号不记得、用会员号查订单、是哪一单。"
)
PLACE_ORDER = (
    "Buy goods for a customer: place a new order, order some, purchase, order it again, order more.\n"
    "下单、帮我下一单、再订一个、我要买、购买、采购、新订单。"
)
CANCEL_ORDER = (
    "Cancel an order, call it off, stop it before it goes out, annul a purchase, it was ordered twice "
    "or by mistake.\n"
    "取消订单、撤单、撤销、作废、买重复了、拍错了、不用发货了。"
)
UPDATE_ORDER_ADDRESS = (
    "Change or correct the delivery address of one order that is not sent yet: where it will be "
    "delivered, redirect it to another place, another city, street, house number, postcode, a new "
    "recipient or their phone, the address was wrong or missing.\n"
    "改订单的收货地址、修改收件信息、地址写错了、地址没填、换个地址送、改寄到别处、改收件人、换收货人、改收货"
    "电话、改城市、改邮编、改街道门牌。"
)
TRACK_SHIPMENT = (
    "Track a parcel on its way: where is my package, its current location and latest position, the "
    "last scan, which city or station it has reached, follow the courier's route and progress, live "
    "delivery tracking.\n"
    "Estimated date of arrival, on the road, out for delivery, late, delayed, stuck, held up at "
    "customs, on its way back, lost; who signed for it, proof of receipt, pick-up point.\n"
    "包裹到哪了、快递现在在哪里、当前位置、所在城市、哪一站、查物流、物流信息、物流轨迹、跟踪快递、追踪包裹、"
    "最新动态、派送情况、预计送达时间、今天能到吗、延误、卡住、怎么还没到、丢了、谁签收的、签收人、放在哪里取"
    "件。"
)
LIST_SHIPMENTS = (
    "List the parcels of an order: into how many packages it was split, their waybill numbers, which "
    "courier company carries each, the contents of every box, which items are not packed yet.\n"
    "分成几个包裹、拆成几个包裹、分几件发、运单号、快递单号、是哪家快递公司、包裹里有什么、哪些还没装箱。"
)
RESHIP_LOST_PARCEL = (
    "Send a lost parcel again: a free replacement, resend, reship, dispatch another one because the "
    "first went missing on the way.\n"
    "丢件补发、补寄、重新寄一份、重发、再发一件、免费补一个。"
)
REQUEST_REFUND = (
    "Give the customer their money back: refund, reimburse, pay back; return or send back goods that "
    "were delivered; the buyer changed their mind, unwanted, does not like it, faulty, defective, "
    "broken, damaged, wrong article, missing, never received.\n"
    "To the card or account it was paid with, the original way, or to the shop balance; for "
    "everything or for a part.\n"
    "退款、申请退款、发起退款、退货退款、退货、退钱、把钱退回来、不想要了、不喜欢、商品有问题、质量问题、坏了"
    "、破损、发错货、没收到货、七天无理由、原路退回、退到余额。"
)
REQUEST_EXCHANGE = (
    "Exchange an article for another one: swap it, a different size or colour, too small, too big, "
    "take the other model instead.\n"
    "换货、换一个、换尺码、换大一号、换颜色、换个款式、大了、小了、调换。"
)
RECEIVE_RETURN = (
    "For the warehouse: the goods came back, book the return in, goods-in, check in what was sent "
    "back, in good condition or damaged, pay the customer out.\n"
    "仓库收到退货、退货入库、货退回来了、登记退回的货、验收、按完好或损坏登记。"
)
SEARCH_PRODUCTS = (
    "Find a product in the shop: what does it cost, its price, its article number or SKU, which "
    "models, sizes and colours there are.\n"
    "找商品、搜商品、多少钱、卖什么价、价格、货号是什么、有什么颜色、有哪些款式尺码。"
)
CHECK_STOCK = (
    "Is one article in stock: how many pieces are left, is it available or sold out, when will there "
    "be more, restock date.\n"
    "有货吗、还有没有货、库存多少、还剩几件、缺货、断货、什么时候补货、到货日期。"
)
CHECK_STOCK_BATCH = (
    "Stock of several articles at once: how many pieces of each are in stock, availability for a list "
    "of SKUs.\n"
    "几个货号一起查库存、批量查库存、各有多少件、分别有没有货。"
)
FIND_MEMBER = (
    "Find a customer's account by name, phone or member number: who is it, membership level, points, "
    "how much balance they have.\n"
    "查会员、查客户、找人、按手机号查、会员号是多少、会员等级、什么级别、多少积分、余额多少。"
)
UPDATE_MEMBER = (
    "Change a customer's profile: a new phone number, a new e-mail, they moved house, update the "
    "personal details on their account.\n"
    "改会员资料、修改个人信息、换手机号、换号码、改邮箱、搬家了、更新账户信息。"
)
OPEN_TICKET = (
    "Hand it to a person: open a ticket, file a complaint, ask for an invoice, have a colleague look "
    "into what happened, escalate.\n"
    "开工单、投诉、转人工、找人工客服、要发票、开发票、反映情况、请同事核实跟进。"
)

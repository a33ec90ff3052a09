"""Reading what others wrote: one file per foreign format, recognised by content and read leniently."""

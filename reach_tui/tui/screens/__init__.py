"""One file per screen; each screen loads what it needs when it opens."""

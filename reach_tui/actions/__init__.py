"""What a person can do, composed once for the app, the command line and Python."""

"""What is under test: the chat loop over a model, and the models, simulated or behind an endpoint."""

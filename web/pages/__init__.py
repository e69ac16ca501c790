"""What phones ask for: pages and the JSON behind them."""

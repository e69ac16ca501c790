"""Statistics of games: results, series, fairness of dice, luck."""

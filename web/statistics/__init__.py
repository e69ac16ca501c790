"""Statistics of games: results, series, score histories, fairness of dice, luck."""

"""What finished games add up to: results, series, score histories, fairness of dice, luck."""

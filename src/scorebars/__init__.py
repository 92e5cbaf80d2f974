"""Error bars for benchmark scores: how sure is a score, is A really better than B, and what does the interval mean."""

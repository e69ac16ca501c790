"""What carries requests and answers: connections, threads, live streams, addresses, certificates, limits."""

"""Tests import what they share as `support.<module>`: pytest puts this file's folder on the path."""

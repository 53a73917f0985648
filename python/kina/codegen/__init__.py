"""From linalg on tensors to a shared library: schedules, pass pipelines, tools."""

"""Compute against communication on an X × Y mesh of FSDP and tensor parallelism."""

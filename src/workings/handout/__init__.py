"""A handout for each student: settings drawn, sheets, solutions and keys written, variants compared."""

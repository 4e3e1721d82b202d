"""What people get wrong of this field in words: terms of many languages, and facts with their wrong forms."""

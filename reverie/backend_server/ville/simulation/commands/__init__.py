"""What can be typed at the prompt: text becomes a Command (parse), and a Command becomes text or a deed."""

"""What the tool tips of menu items say, by the items' texts."""

TIPS = {
    "Open": "Open an image file or a session",
    "Reopen what was closed last": "Open what was on screen when it was closed",
    "Paste image": "Open the image, or the image file, that was copied",
    "Save session": "Save all that is set, to open it again like an image",
    "Save session as": "Save all that is set to another file",
    "Export state map": "Write the states as an indexed PNG, in their colours",
    "Export arrays": "Write states, A, B and what follows from them as NumPy arrays (.npz)",
    "Export summary": "Write parameters, indices and the log-likelihood as text (.json)",
    "Export trade-off table": "Write what every N and w is worth as a table (.csv)",
    "All that are shown": "Write every view on screen as PNG, at any resolution",
    "Whole window": "Draw the window as it is to a file",
    "Quit": "Close the window; what is on screen is kept for the next time",
    "Reset parameters": "Return to the parameters that the picture was opened with",
    "Unpin all pixels": "Empty the table of pinned pixels",
    "Dismiss message or selection": "Hide the message, or stop what is being done, or let go of "
    "what is lit",
    "Copy view": "Copy a picture of the view that has the keyboard, or the pointer over it",
    "Copy values": "Copy the numbers of the view that has the keyboard, or the pointer over it, "
    "separated by tabs",
    "Copy as Python": "Copy a script that computes what is on screen",
    "Zoom in": "Magnify image and state map",
    "Zoom out": "Show more of image and state map",
    "Whole image": "Show all of the image",
    "Previous slice": "Show the slice before, of a volume",
    "Next slice": "Show the slice after, of a volume",
    "State borders": "Outline where neighbouring pixels are in different states",
    "Quadtree leaves": "Outline the largest squares of one state each",
    "Paths of the states as w grows": "Draw where each state goes in the signature space as w "
    "grows from 0 to 20 (P)",
    "Logarithmic A": "Colour the entries of A by their logarithms, to tell small ones apart",
    "A as a graph": "Draw A as arrows between the states, as wide as its entries",
    "More of the states over the image": "Let the state map cover more of the image",
    "Less of the states over the image": "Let the state map cover less of the image",
    "Latency": "Show how long the last refresh took, stage by stage and view by view",
    "Reduced motion": "Let nothing move by itself",
    "State marks": "Tell states apart without colour",
    "Compare": "Compare two decodings of the same picture",
    "Freeze this as A": "Keep the state map on screen, to compare what comes with it",
    "Next way to compare": "Left and right of a divider, by turns, or where they differ",
    "Show the other of A and B": "Let A and B change turns by hand",
    "Divider to the left": "Show less of A and more of B",
    "Divider to the right": "Show more of A and less of B",
    "Swap A and B": "Set the parameters of A, and keep what B was as A",
    "Restore the layout": "Put every view where it is by default",
    "Theme": "The colours of the window",
    "Full screen": "Fill the screen, or no longer",
    "Choose w": "Set the w whose windows predict their pixels best, and say why",
    "Choose N": "Set the number of states that is worth its cost, and say why",
    "Choose both": "Set N and w by what is worth its cost, and say why",
    "Learn, while dragging, from": "How many signatures the states are learned from while you drag",
    "Threads": "How many cores compute; results do not depend on it",
    "Bias and variance lab": "See on fields whose truth is known why small windows vary and large "
    "ones are biased",
    "Help": "Read how everything works, with every shortcut",
    "About latviz": "See which version this is, and its licence",
}


def tip_of(text: str) -> str:
    """Return the tip of an item, or else its text."""
    plain = text.replace("&", "").rstrip("…")
    return TIPS.get(plain, plain)

/** Where Diptych sends a person to another of its addresses. A browser has one guest for each: cookies belong to a scheme and a host. */
export const strings = {
  anotherGuest: 'There you are another guest, and the documents you wrote here are not in your list.',
} as const

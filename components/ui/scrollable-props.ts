/** For an element that may exceed its space and scrolls by itself: the keyboard can reach it, and it has a name. */
export const scrollableProps = (name: string) => ({ role: 'group', 'aria-label': name, tabIndex: 0 }) as const

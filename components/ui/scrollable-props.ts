/** For what may be larger than its place and scrolls by itself: the keyboard reaches it, and it says what it is. */
export const scrollableProps = (name: string) => ({ role: 'group', 'aria-label': name, tabIndex: 0 }) as const

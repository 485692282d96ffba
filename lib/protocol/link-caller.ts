/**
 * Who came by a link's token alone is a program or a stock Yjs client, under whatever name it gives itself. The server stamps each
 * person's id (W7) and checks the authors of comments (A9), so the id tells whether a name is anybody's word but the server's.
 */

/** The ids of such callers begin so. */
const LINK_CALLER = 'link:'

export const isLinkCaller = (id: unknown): boolean => typeof id === 'string' && id.startsWith(LINK_CALLER)

const MARK = ' (by link)'
/** What the mark means. */
export const LINK_CALLER_HINT = 'Came by a link. The name is not verified.'

/** The name as it is shown wherever people are named: what a caller chose for itself is marked. */
export const shownName = ({ id, name }: { readonly id: unknown; readonly name: string }): string =>
  isLinkCaller(id) ? name.trim() + MARK : name

/** The name without its mark, as for initials. */
export const chosenName = (shown: string): string =>
  shown.endsWith(MARK) ? shown.slice(0, -MARK.length) : shown

/**
 * A link caller has only a share link's token: it is a program or a stock Yjs client, under any name that it chooses. The server
 * stamps each person's id (W7) and checks the authors of comments (A9), so the id shows whether the caller chose the name.
 */
import { namesStrings } from '../strings/names.ts'

/** The ids of link callers begin with it. */
const LINK_CALLER = 'link:'

export const isLinkCaller = (id: unknown): boolean => typeof id === 'string' && id.startsWith(LINK_CALLER)

const MARK = namesStrings.byLink.mark

/** Characters that change the direction of the text after them: the mark would be read backwards. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** White space, and letters that look like it: the mark would be far away. */
const BLANKS = /[\s\u115f\u1160\u2800\u3164\uffa0]+/g

/** The name as it is shown wherever people are named, with a mark if a link caller chose it. */
export const shownName = ({ id, name }: { readonly id: unknown; readonly name: string }): string =>
  isLinkCaller(id) ? (plainName(name) || namesStrings.guest) + MARK : name

/** Returns a chosen name without the characters that would hide its mark. */
export const plainName = (name: string): string =>
  name.replaceAll(DIRECTIONS, '').replaceAll(BLANKS, ' ').trim()

/** Returns the name without its mark, for example for initials. */
export const chosenName = (shown: string): string =>
  shown.endsWith(MARK) ? shown.slice(0, -MARK.length) : shown

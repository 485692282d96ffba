/** The items of a shared type: a list of children, deleted ones among them, and the latest value of each key. */
import type * as Y from 'yjs'

/** The members that need no type of their content. */
type Members<Name extends keyof Y.AbstractType<unknown>> = Pick<Y.AbstractType<never>, Name>

/** The first child of the list, which may be deleted; the next is its `right`. */
export const firstItemOf = (type: Members<'_start'>): Y.Item | null => type._start

/** The latest value of each key, which may be deleted; an earlier value is its `left`. */
export const valuesByKeyOf = (type: Members<'_map'>): Map<string, Y.Item> => type._map

/** The item whose content is the type; null for a root, and before the type is in a document. */
export const itemOf = (type: Members<'_item'>): Y.Item | null => type._item

/** How many children are not deleted. */
export const lengthOf = (type: Members<'_length'>): number => type._length

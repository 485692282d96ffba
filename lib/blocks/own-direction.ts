/**
 * Drawn and not stored: the direction of a block follows from its letters. A paragraph gets no attribute, because an item or a quote would
 * then ignore its letters. paragraph.css gives each paragraph its own direction.
 */
export const ownDirection = { dir: 'auto' } as const

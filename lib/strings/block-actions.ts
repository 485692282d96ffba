/** What is done with whole blocks of the text. */
export const strings = {
  handle: 'Block actions',
  handleHint: 'Click for actions, drag to move',
  selected: (blocks: string) => `Selected: ${blocks}. Enter opens actions, Escape returns to the text.`,
  count: (count: number) => `${count} blocks`,
  unknownKind: 'block',
  up: 'Move up',
  down: 'Move down',
  duplicate: 'Duplicate',
  delete: 'Delete',
  turnInto: 'Turn into',
  commands: {
    up: 'Move block up',
    down: 'Move block down',
    duplicate: 'Duplicate block',
    delete: 'Delete block',
    select: 'Select block',
    menu: 'Block actions',
    whereSelected: 'with a block selected',
    words: 'paragraph line reorder copy remove',
    turnInto: 'change convert style',
  },
} as const

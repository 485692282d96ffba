/** What appears beside the text while somebody writes: forms at the selection, menus, and what stands beside a link. */
export const editorFormsStrings = {
  slashMenu: {
    label: 'Blocks',
    thisBlock: 'This block',
    count: (count: number) =>
      `${count} ${count === 1 ? 'block' : 'blocks'}. Arrow keys choose, Enter makes one.`,
  },
  linkBubble: {
    opensInNewTab: '(opens in a new tab)',
    unsafe: 'This link’s address is not safe to open.',
    edit: 'Edit',
  },
  linkForm: {
    address: 'Address',
    make: 'Make link',
    change: 'Change',
    remove: 'Remove link',
  },
  commentForm: {
    send: 'Comment',
    noName: 'Your name has not loaded yet. Try again in a moment.',
  },
} as const

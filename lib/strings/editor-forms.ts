/** The forms at the selection, and what stands beside a link. */
export const strings = {
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

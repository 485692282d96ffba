/** Sharing a document by link. */
export const strings = {
  dialog: {
    title: 'Share',
    hint: 'Anyone with the link can open this document. No account needed.',
    onlyHere: 'Links open on this computer only.',
    elsewhere:
      'You opened Diptych as localhost. For other computers, start it with HOST=0.0.0.0 or a PUBLIC_URL, and change the beginning of a link made here to that address.',
  },
  create: {
    editor: 'Create edit link',
    viewer: 'Create view-only link',
  },
  newLink: {
    label: 'New link',
    editor: 'Anyone with this link can edit. To copy it again, choose Show below.',
    viewer: 'Anyone with this link can view. To copy it again, choose Show below.',
    copied: 'The link is copied.',
    selected: 'The link is selected: copy it by keyboard or menu.',
  },
  links: {
    title: 'Links in use',
    name: { editor: 'Edit link', viewer: 'View-only link' },
    created: <Part>(name: Part, time: Part) => [name, ', created ', time] as const,
    notShownAgain: <Part>(name: Part, time: Part) =>
      [name, ', created ', time, '. It works, but cannot be shown again.'] as const,
    show: 'Show',
    showLabel: { editor: 'Show edit link', viewer: 'Show view-only link' },
    revoke: 'Revoke',
    revokeLabel: { editor: 'Revoke edit link', viewer: 'Revoke view-only link' },
    keep: 'Keep',
    confirm: 'Remove everyone who used it',
  },
} as const

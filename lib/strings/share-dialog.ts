/** Sharing a document by link. */
export const shareDialogStrings = {
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
    created: <Part>(name: Part, time: Part) => [name, ', created ', time, '.'] as const,
    people: (count: number) =>
      count === 0
        ? 'Nobody came by it yet.'
        : count === 1
          ? '1 person came by it.'
          : `${count} people came by it.`,
    closed: 'Nobody new can join.',
    notShownAgain: 'It works, but cannot be shown again.',
    show: 'Show',
    showLabel: { editor: 'Show edit link', viewer: 'Show view-only link' },
    revoke: 'Revoke',
    revokeLabel: { editor: 'Revoke edit link', viewer: 'Revoke view-only link' },
    choices: {
      open: 'Stop new joins: who came by this link keeps access, and nobody else gets in. Remove everyone: the link ends, and who came by it loses access at once.',
      closed: 'The link ends, and who came by it loses access at once.',
    },
    close: 'Stop new joins',
    reopen: 'Let people join',
    reopenLabel: { editor: 'Let people join by edit link', viewer: 'Let people join by view-only link' },
    confirm: 'Remove everyone who used it',
    nowClosed: 'Nobody new can join by the link.',
    reopened: 'People can join by the link.',
    revoked: 'The link is revoked, and everyone who used it is removed.',
  },
  people: {
    title: 'People who came by a link',
    joined: {
      editor: <Part>(name: Part, time: Part) => [name, ' can edit. Joined ', time, '.'] as const,
      viewer: <Part>(name: Part, time: Part) => [name, ' can view. Joined ', time, '.'] as const,
    },
    nameless: 'Someone',
    more: 'Show more people',
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name}`,
    consequence: (name: string) =>
      `${name} loses access at once. To let them in again, send them a new link.`,
    openConsequence: (name: string) =>
      `${name} loses access at once, and today’s links no longer let them in. A link that still lets people join could bring them back as a new guest: stop its new joins, too.`,
    confirm: (name: string) => `Remove access of ${name}`,
    removed: (name: string) => `${name} no longer has access.`,
  },
  keep: 'Keep',
} as const

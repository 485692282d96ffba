/** A person's own name and color. */
export const profileStrings = {
  dialog: {
    title: 'Your profile',
    hint: 'Everyone who shares a document with you sees it. No account needed.',
    name: 'Display name',
    save: 'Save',
  },
  colour: {
    label: 'Color',
    hint: 'For your caret and picture. Colors of the people here now are left out.',
    red: 'red',
    orange: 'orange',
    olive: 'olive',
    green: 'green',
    teal: 'teal',
    blue: 'blue',
    violet: 'violet',
    pink: 'pink',
  },
  setting: {
    shownAs: <Part>(name: Part) => ['Others see you as ', name] as const,
    open: 'Your profile',
  },
  joinCard: {
    viewer: <Part>(owner: Part) => [owner, ' shared this document with you. You can view it.'] as const,
    editor: <Part>(owner: Part) =>
      [owner, ' shared this document with you. You can edit it and comment on it.'] as const,
    owner: <Part>(owner: Part) => [owner, ' shared this document with you. It is yours.'] as const,
    notNow: 'Not now',
    name: 'Join as',
    join: 'Join',
  },
  share: {
    name: 'Your name, as others see it',
    saved: 'Saved.',
  },
} as const

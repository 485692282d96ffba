/** Links to a heading or another block. */
export const positionLinkStrings = {
  copy: 'Copy link',
  copied: 'Link copied.',
  notCopied: 'The link was not copied: this browser does not allow it here.',
  goTo: (heading: string | null) => (heading === null ? 'Go to this block' : `Go to “${heading}”`),
} as const

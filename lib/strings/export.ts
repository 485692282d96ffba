/** Words in exported documents, and in the dialog that exports them. */
export const strings = {
  pictureNamed: (alt: string) => (alt === '' ? 'Picture' : `Picture: ${alt}`),
  missingPicture: 'This picture is not on the server.',
  comments: 'Comments',
  contents: 'Contents',
  commentBy: (name: string, when: string) => `${name}, ${when}`,
  resolved: 'Resolved',
} as const

/** Words in exported documents, and in the dialog that exports them. */
export const strings = {
  pictureNamed: (alt: string) => (alt === '' ? 'Picture' : `Picture: ${alt}`),
  missingPicture: 'This picture is not on the server.',
  comments: 'Comments',
  contents: 'Contents',
  commentBy: (name: string, when: string) => `${name}, ${when}`,
  resolved: 'Resolved',
  pictureFile: 'picture',
  otherFile: 'file',
  allDocuments: (day: string) => `Diptych documents ${day}`,
  leftOut: {
    file: 'Not in this zip.txt',
    head: 'These documents are not in this zip. Export them one by one, or try again later.',
    line: (title: string, address: string) => `${title}: ${address}`,
  },
} as const

/** Names of blocks in the menus, and the words by which they are found. They load with the page; what a block's view says loads with it. */
export const blockItemsStrings = {
  file: { name: 'File…', words: 'attachment document upload pdf' },
  formula: { name: 'Formula', words: 'math equation latex' },
  linkCard: { name: 'Link card', words: 'bookmark address url embed preview' },
  originalPicture: { name: 'Original picture…', words: 'image photo unchanged full size quality upload' },
  photo: { name: 'Take a photo', words: 'camera picture image' },
  picture: { name: 'Picture…', words: 'image photo screenshot upload' },
  tableOfContents: { name: 'Table of contents', words: 'toc headings outline index links' },
} as const

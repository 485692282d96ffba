/** The page of a document: its header and toolbar, title and text, and its commands. */
export const editorStrings = {
  skipToText: 'Skip to the text',
  header: {
    allDocuments: 'All documents',
    options: 'Document options',
    viewOnly: 'View only',
    viewOnlyHint: 'You can view this document. Its owner can let you edit it.',
    lastText: 'This is the last text that reached this window.',
  },
  toolbar: {
    label: 'Formatting',
    history: 'History',
    marks: 'Text formatting',
    link: 'Link',
    comment: 'Comment',
    blocks: 'Blocks',
    allBlocks: 'All blocks',
    selection: 'Selection',
    formats: 'More formats',
    formatsSign: 'Aa',
    tableOptions: 'Change table',
  },
  formats: {
    alignment: 'Alignment',
    start: 'Align to the start',
    center: 'Center',
    end: 'Align to the end',
    justify: 'Justify',
    highlight: 'Highlight',
    highlightIn: (color: string) => `Highlight in ${color}`,
    position: 'Position',
  },
  paragraphStyle: {
    label: (style: string) => `Paragraph style: ${style}`,
    words: 'paragraph style title plain',
  },
  title: {
    label: 'Title',
    placeholder: 'Untitled',
  },
  text: {
    label: 'Document',
    placeholder: 'Write…',
    emptyTask: 'Empty task',
    foreignParts: (count: number) =>
      count === 1
        ? 'Made with a newer Diptych or another program'
        : `${count.toLocaleString('en')} parts made with a newer Diptych or another program`,
    drawingRest: 'Loading the rest of the document…',
    viewFailed: 'This part could not be drawn. Here is its text.',
    leaveByTab: 'Tab stays in the text. To leave it, press Escape, then Tab.',
  },
  linkForm: {
    label: 'Link',
    notInCode: 'Code is kept letter by letter: it holds no links.',
  },
  commentForm: {
    label: 'Comment',
    nothingSelected: 'Select the words that the comment is about.',
  },
  pasted: {
    clipboardUnreadable: (keys: string) => `The clipboard cannot be read. Press ${keys} in the text.`,
  },
  files: {
    droppedElsewhere: 'Drop a file on the text to insert it there.',
    viewOnly: 'You can only view this document.',
  },
  commands: {
    text: 'Go to the text',
    rename: { title: 'Rename this document', words: 'title name' },
    export: {
      title: 'Export this document…',
      words: 'download save as markdown html word docx pdf print zip',
    },
    documentOptions: { title: 'Document options…', words: 'rename duplicate copy move to trash delete' },
    toolbar: 'Go to the toolbar',
    leaveText: { title: 'Select the block, or leave the text', where: 'then Tab' },
    slashMenu: { title: 'Insert a block', where: 'in the text' },
    switchToggle: { title: 'Open or close a toggle', where: 'in a toggle' },
    sendComment: { title: 'Send a comment', where: 'in a comment' },
    findNext: { title: 'Find next', where: 'with Find open' },
    findPrevious: { title: 'Find previous', where: 'with Find open' },
    nextComment: { title: 'Next comment', where: 'with Comments open' },
    previousComment: { title: 'Previous comment', where: 'with Comments open' },
    link: { title: 'Link', where: 'with a selection' },
    find: 'Find and replace',
    selectMatch: 'Select the current match',
    comment: 'Comment on the selection',
    nameVersion: { title: 'Name this version…', words: 'history save name snapshot' },
    codeLanguage: { title: 'Code language', words: 'programming syntax highlight colour color' },
    pastePlain: { title: 'Paste as plain text', words: 'clipboard insert unformatted markdown' },
  },
} as const

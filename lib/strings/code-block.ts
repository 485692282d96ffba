export const codeBlockStrings = {
  plainText: 'Plain text',
  language: (name: string) => `Language: ${name}`,
  searchLanguage: 'Search languages',
  noLanguage: 'No language has this name.',
  copy: 'Copy code',
  copied: 'Copied',
  selected: 'The code is selected: copy it with your keyboard.',
  lines: 'Lines of code',
  lineStyles: {
    wrapped: 'Wrap long lines',
    scrolled: 'Scroll long lines',
    numbered: 'Number the lines',
  },
  tooLong: 'Too long for colours',
} as const

export const strings = {
  addName: 'Name the file',
  download: 'Download',
  downloadNamed: (name: string) => (name === '' ? 'Download the file' : `Download ${name}`),
  elsewhere: 'so far only on the device that it was added on',
  elsewhereSentence: 'The file is so far only on the device that it was added on.',
  unreadable: 'This device could not read the file.',
} as const

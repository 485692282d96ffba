export const fileCardStrings = {
  addName: 'Name the file',
  download: 'Download',
  downloadNamed: (name: string) => (name === '' ? 'Download the file' : `Download ${name}`),
  arriving: (by: string, percent: number) => `${by} is uploading it: ${percent}\u00A0%`,
  arrivingSentence: 'The file is still being uploaded.',
  missing: 'so far only on the device that it was added on',
  missingSentence: 'The file has not been uploaded yet.',
  unknown: 'not available just now',
  unknownSentence: 'The file is not available just now.',
} as const

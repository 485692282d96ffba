/** Notes on a file that this device sends, or that is not here yet. */
export const uploadsStrings = {
  notAllowed: 'You can’t add files to this document any more. The file stays on this device.',
  refused: (status: number) => `The server did not take the file (${status}).`,
  unreadable: 'This device could not read the file.',
  deviceFailed: 'This device could not change the upload. Try again.',
  waiting: 'Waiting to upload',
  cut: 'Upload interrupted. Retrying…',
  uploading: (percent: number) => `Uploading ${percent}\u00A0%`,
  failed: (reason: string) => `Not uploaded. ${reason}`,
  cancelled: 'Only on this device',
  cancel: 'Cancel',
  retry: 'Retry',
  upload: 'Upload',
  ofFile: (action: string, file: string) => (file === '' ? action : `${action}: ${file}`),
} as const

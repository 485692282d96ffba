export const linkCardStrings = {
  addTitle: 'Add a title',
  address: 'Address',
  askAddress: 'Paste or type an address, then press Enter',
  show: 'Show as card',
} as const

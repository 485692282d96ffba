/** For the `ref` of a field that begins with a text, to be written on: browsers would put the caret before it. */
export const putCaretAtEnd = (field: HTMLInputElement | HTMLTextAreaElement | null): void =>
  field?.setSelectionRange(field.value.length, field.value.length)

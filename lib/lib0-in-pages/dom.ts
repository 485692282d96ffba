/** What y-tiptap uses of `lib0/dom`. The original brings a library of schemas along. */
export const doc = globalThis.document

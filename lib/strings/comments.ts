import { plural } from './plural.ts'

/** The panel of comments, and the sign that there are new ones. */
export const commentsStrings = {
  sign: {
    label: (count: number) => plural(count, 'new comment'),
    hint: 'New comments',
  },
  loading: 'Loading the comments…',
  documentDeleted: 'This document was deleted.',
  refused: 'The comments did not open.',
  empty: {
    title: 'No comments yet.',
    hint: 'Select words in the text and press Comment above it.',
    viewOnly: 'Only people who can edit the document can write comments.',
  },
  bar: {
    shown: 'Show',
    open: 'Open',
    resolved: 'Resolved',
    previous: 'Previous comment',
    next: 'Next comment',
    whereStepping: 'with Comments open',
    send: 'Send a comment',
    whereSending: 'in a comment',
  },
  noneOpen: 'No open comments.',
  noneResolved: 'Nothing is resolved yet.',
  threads: 'Threads',
  thread: {
    label: (quote: string) => `Thread on “${quote}”`,
    goTo: 'Go to these words',
    quoteDeleted: 'The commented text was deleted.',
    firstDeleted: 'The first comment was deleted.',
    messages: 'Messages',
    resolved: <Part>(name: string, time: Part) => [`Resolved by ${name}, `, time] as const,
    reply: 'Reply',
    resolve: 'Resolve',
    reopen: 'Reopen',
  },
  message: {
    byLink: '(by link)',
    changed: <Part>(time: Part) => [time, ', edited'] as const,
    own: 'Your message',
    edit: 'Edit',
    delete: 'Delete',
    deleted: 'Message deleted',
    change: 'Save',
  },
  viewOnly: 'You can read the comments here. Only people who can edit the document can write comments.',
} as const

import { commonStrings } from './common.ts'

/** Whole pages: their names in the browser's tab, and what stands in place of one that cannot be shown. */
export const pagesStrings = {
  tab: {
    template: '%s – Diptych',
    documents: 'Documents',
    document: 'Document',
    panel: 'Panel',
    settings: 'Settings',
    lab: 'Lab',
    dashboard: 'Dashboard – Lab',
    admin: 'Server',
    notFound: 'Not found',
    offline: 'No connection',
    broken: 'Something broke – Diptych',
  },
  allDocuments: 'All documents',
  loadingDocuments: 'Loading documents…',
  description: 'One document, many windows, any network, nothing lost.',
  notFound: {
    title: 'There is nothing at this address',
    hint: 'Check it for a missing letter, or start from your documents.',
  },
  missingDocument: {
    title: 'There is no such document here',
    hint: 'It may have been deleted, its link may have been revoked, or it was never shared with you. Its owner can send you a new link.',
  },
  broken: {
    title: 'Something broke on this page',
    page: 'Your documents are safe on the server. Try again, or go back to them.',
    everything: 'Your documents are safe on the server. Reload the page to go on.',
    document: 'This page stopped working. What was saved is safe on the server.',
    panel: 'This panel stopped working. What was saved is safe on the server.',
  },
  earlierVisit: {
    sent: (count: number) =>
      `${commonStrings.changes(count)} from an earlier visit ${count === 1 ? 'was' : 'were'} sent.`,
    refused: (count: number, why: string) =>
      `${commonStrings.changes(count)} from an earlier visit cannot be sent. ${why}`,
  },
} as const

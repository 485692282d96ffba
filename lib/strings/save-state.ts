import { commonStrings } from './common.ts'
import { refusalsStrings } from './refusals.ts'

/** Whether the text is safe, said in every window of a document: the save state, what is spoken, and the cards over the text. */
export const saveStateStrings = {
  label: 'Save state',
  short: {
    loading: 'Loading…',
    saved: 'Saved',
    sending: (count: number) => `Sending ${commonStrings.changes(count)}`,
    unsent: (count: number) => `${commonStrings.changes(count)} not sent`,
    onDevice: 'Saved on this device',
    noAccess: 'No access',
    deleted: 'Deleted',
    notSaved: 'Not saved',
  },
  sentence: {
    loading: 'The document is still loading.',
    saved: 'Everything in this window is saved on the server.',
    sending: (count: number) => `Sending ${commonStrings.changes(count)} to the server.`,
    unsent: (count: number, why: string) => `${commonStrings.changes(count)} not sent. ${why}`,
    onDevice: (why: string) => `Saved on this device. ${why}`,
    onDeviceAlone: (why: string) => `Saved on this device, not yet on the server. ${why}`,
    noAccess: `${refusalsStrings.accessLost.title} ${refusalsStrings.accessLost.hint} Nothing of yours is unsaved.`,
    deleted: 'This document was deleted. Nothing of yours is unsaved.',
    notSaved: (why: string) => `Not saved. ${why}`,
  },
  why: {
    noConnection: 'There is no connection. Your changes are sent when it is back.',
    diskFails: 'The server cannot write to its disk just now. It tries again by itself.',
    notConfirmed: 'The server has not confirmed your latest changes.',
  },
  announcements: {
    rightsLabel: 'Rights',
    viewOnly: 'View only',
    label: 'Announcement',
    reconnecting: 'Reconnecting.',
  },
  waiting: {
    title: 'Waiting for the server…',
    offline: 'You’re offline.',
    keptOnDevice: 'Keep writing: changes are saved on this device.',
    keptInWindow: 'Keep writing: changes are kept in this window until they are sent.',
    tryNow: 'Try now',
  },
  ended: {
    title: 'This window can no longer save changes.',
    notSaved: 'Some of your changes are not saved: copy what you need before you reload.',
    onDevice: 'Your latest changes are saved on this device.',
    reload: 'Reload',
  },
  stopped: {
    title: 'This window could not show a change.',
    hint: 'Reload it to go on.',
    notSaved: 'Some of your changes are not saved yet: wait until they are, or copy the text.',
    saved: 'Your text is saved.',
  },
  copyText: {
    copy: 'Copy text',
    copied: 'The text is copied.',
    selected: 'The text is selected: copy it by keyboard or menu.',
    field: 'Text of this window',
  },
} as const

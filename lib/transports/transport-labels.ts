/** The words for each transport on screen. */
import { transportsStrings } from '../strings/transports.ts'
import { transports } from './registry.ts'
import type { TransportDescriptor, TransportId } from './transport.ts'

type TransportWords = Pick<TransportDescriptor, 'label' | 'shortLabel' | 'explanation'>

const words = new Map<TransportId, TransportWords>([...transports, ['memory', transportsStrings.memory]])

const wordsBy = (word: (words: TransportWords) => string) =>
  Object.fromEntries([...words].map(([id, one]) => [id, word(one)])) as Readonly<Record<TransportId, string>>

export const transportLabels = wordsBy(({ label }) => label)

/** For places with little room. */
export const shortTransportLabels = wordsBy(({ label, shortLabel = label }) => shortLabel)

export const transportExplanations = wordsBy(({ explanation }) => explanation)

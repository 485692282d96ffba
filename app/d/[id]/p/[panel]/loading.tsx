import { OpeningView } from '@/components/opening/opening-view'

export default function Loading() {
  return <OpeningView />
}

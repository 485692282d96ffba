import { WrongAddress } from '@/components/panels/wrong-address'

export default function NotFound() {
  return <WrongAddress />
}

// Company tabs of other modules: their lists and panels, one tab each, with counts.
import { number, Piece, useSession, useTotal, type Data, type Tab } from '@keelson/web';

type Company = Data<'GET /companies.php?id={id}'>;

interface Placed extends Tab {
  readonly order: number;
}

/** Returns the tabs that the user may see, in the order the modules declare. */
export function useCompanyTabs(company: Company | undefined): readonly Tab[] {
  const { pages, panels } = useSession();
  if (!company) return [];
  const { company_number } = company;
  const lists = pages.flatMap((page): Placed[] => {
    const { path, title, company_tab } = page;
    if (!company_tab) return [];
    const { order, list } = company_tab;
    return [
      {
        id: path.slice(1),
        title: <Counted title={title} list={list} company_number={company_number} />,
        body: () => <Piece of={page} title={title} given={{ within: { company_number } }} />,
        order,
      },
    ];
  });
  const others = panels
    .filter(({ slot }) => slot === 'company.tab')
    .map((each): Placed => ({
      id: each.name.toLowerCase().replaceAll(/\W+/g, '-'),
      title: each.total ? <Counted title={each.title} {...each.total} company_number={company_number} /> : each.title,
      body: () => <Piece of={each} title={each.title} given={{ company }} />,
      order: each.order,
    }));
  return [...lists, ...others].toSorted((a, b) => a.order - b.order);
}

interface CountedProps {
  readonly title: string;
  readonly list: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly company_number: number;
}

function Counted({ title, list, where, company_number }: CountedProps) {
  const total = useTotal(list, { ...where, company_number }) ?? 0;
  return (
    <>
      {title}
      {total > 0 && <small> {number(total)}</small>}
    </>
  );
}

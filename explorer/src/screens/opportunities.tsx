/** Prospects that the discovery agent found: to read, nothing here changes them. */

import { useState } from 'preact/hooks';
import { get } from '../api.ts';
import { usePages } from '../load.ts';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { Breakdown, Opportunity, OpportunityPage } from '../types.ts';
import { Choices, Factors, Head, More, Name, When, Who } from '../ui.tsx';
import { count, date, factors, occupation, title, TYPE_WORDS, words } from '../words.ts';

const PAGE = 20;
/** What the agent calls things, in words for people; of others its own are shown. */
const HEADINGS: Record<string, string> = {
  visible: 'New', intro_requested: 'Introduction asked for', manual: 'Found by hand', signal_watch: 'Found by a signal',
  icp_agent: 'Found by the agent', crm_import: 'From the CRM',
  prospectFitScore: 'How well the person fits', companyFitScore: 'How well the company fits',
  overallIntentScore: 'How likely they buy', urgencyLevel: 'How soon',
};
const headed = (code: string): string => HEADINGS[code] ?? title(code);
const STATUSES = ['', 'visible', 'saved', 'accepted', 'intro_requested', 'dismissed'] as const;
const SORTS = ['newest', 'oldest', 'relevancy'] as const;
const SORT_WORDS = { newest: 'Newest first', oldest: 'Oldest first', relevancy: 'Best fit first' } as const;

export function Opportunities({ route }: { route: Route }) {
  const { params } = route;
  const status = STATUSES.find((one) => one === params.get('status')) ?? '';
  const sort = SORTS.find((one) => one === params.get('sort')) ?? 'newest';
  const search = params.get('search') ?? '';
  const [text, setText] = useState(search);
  const asked = { status, sort, search, limit: PAGE };
  const { loaded, all, again, more, isMore, failure } = usePages(JSON.stringify(asked),
    async (offset, signal) => (await get<{ data: OpportunityPage }>('ghost/opportunities', { ...asked, offset }, signal)).data,
    (page) => page.opportunities);
  return (
    <article>
      <Head title="Opportunities"><p class="lead">Prospects that were found for your organization.</p></Head>
      <form class="inline" onSubmit={(event) => { event.preventDefault(); tune(route, { search: text.trim() }); }}>
        <label class="field">With
          <input type="text" dir="auto" maxLength={200} value={text} placeholder="name, company or position" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit">Look</button>
      </form>
      <div class="filters">
        <Choices name="Status" of={STATUSES} words={(one) => one ? headed(one) : 'All open'} chosen={[status]} onChange={([one]) => tune(route, { status: one })} />
        <Choices name="Order" of={SORTS} words={(one) => SORT_WORDS[one]} chosen={[sort]} onChange={([one]) => tune(route, { sort: one === 'newest' ? '' : one })} />
      </div>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>There is no such opportunity.</p></div> : (
          <>
            <ul class="cards">{all.map((one) => <Card key={one.id} of={one} />)}</ul>
            <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="opportunity" many="opportunities" />
          </>
        )}
      </When>
    </article>
  );
}

function Card({ of }: { of: Opportunity }) {
  const { prospect, bestPath: best } = of;
  const type = best?.connectionType;
  const { icpFitSummary, ...others } = of.keyInsights ?? {};
  return (
    <li>
      <div class="line">
        <Who name={prospect.name} href={link('paths', prospect.id)} position={prospect.position} company={prospect.company} />
        {of.overallScore !== undefined && <span class="score"><b>{count(of.overallScore)}</b> <span class="soft">fit</span></span>}
      </div>
      <ul class="chips">
        <li>{headed(of.status)}</li>
        {of.priority && <li>{title(of.priority)} priority</li>}
        {of.searchSource && <li>{headed(of.searchSource)}</li>}
      </ul>
      {typeof icpFitSummary === 'string' && <p><bdi>{icpFitSummary}</bdi></p>}
      {best?.connectionName && (
        <p>
          The agent’s way: <b><Name of={best.connectionName} /></b>{' '}
          <span class="soft">
            <bdi>{occupation(best.position, best.company)}</bdi>
            {type && ` · ${(TYPE_WORDS as Record<string, string>)[type] ?? words(type)}`}
            {best.strengthScore !== undefined && ` · strength ${count(best.strengthScore)}`}
          </span>
        </p>
      )}
      <details>
        <summary>Why</summary>
        <Part title="How well they fit" of={of.icpEvaluation} />
        <Part title="Signs that they may buy" of={of.buyingIntent} />
        <Part title="What else was found" of={others} />
        {of.confidenceLevel !== undefined && <p class="soft">How sure the agent was: {of.confidenceLevel}</p>}
      </details>
      <p class="soft small">
        {of.discoveredAt && `Found ${date(of.discoveredAt)}`}{of.discoveredBy && <> by <Name of={of.discoveredBy.name} /></>}
      </p>
    </li>
  );
}

function Part({ title: head, of }: { title: string; of: Breakdown | undefined }) {
  const plain = Object.fromEntries(Object.entries(of ?? {}).map(([name, value]) => [headed(name), value]));
  return factors(plain).length > 0 && <><h3>{head}</h3><Factors of={plain} /></>;
}

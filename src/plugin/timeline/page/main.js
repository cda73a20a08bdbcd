/* SPDX-License-Identifier: MIT */
/* Puts it all up. */

function countOf(number, one, many = one + "s") {
	return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function describe() {
	const events = threads.reduce((sum, thread) => sum + thread.events, 0);
	const hosts = [...new Set(data.hosts.filter((host) => host))];
	const parts = [countOf(threads.length, "thread"),
		countOf(processes.filter((process) => process.pid !== undefined &&
			!process.isIdle).length, "process", "processes"),
		countOf(events, "event")];

	if (base !== null)
		parts.push(duration(data.span_ns));
	if (data.title || hosts.length > 0) {
		document.getElementById("title").textContent =
			data.title || hosts.join(", ");
		document.title = `${data.title || hosts.join(", ")} – threads`;
	}
	if (data.title && hosts.length > 0)
		parts.unshift(hosts.join(", "));
	document.getElementById("subtitle").textContent = parts.join("  ·  ");
}

/* Whether what is seen is exact. */
function describeCells() {
	const parts = [];

	if (data.cell_bits > 0)
		parts.push("turns and events that begin within " +
			`${duration(2 ** data.cell_bits)} are drawn as one`);
	if (data.name_cell_bits > 0)
		parts.push("of names that begin within " +
			`${duration(2 ** data.name_cell_bits)} the last is drawn`);
	document.getElementById("exact").textContent = parts.join("; ") ||
		"all is exact to the nanosecond";
}

function describeSilent() {
	const button = document.getElementById("silent");
	const silent = threads.filter((thread) => thread.isSilent).length;

	button.textContent = `Silent (${silent})`;
	button.disabled = silent === 0;
	/* There is nothing else to see. */
	view.showsSilent = silent === threads.length;
	button.setAttribute("aria-pressed", String(view.showsSilent));
}

if (!hasTurns) {
	for (const kind of ["running", "preempted", "waiting"])
		document.querySelector(`#legend .${kind}`).parentNode.hidden = true;
	document.querySelector("#legend .event").className = "running";
}
describe();
describeCells();
describeSilent();
if (base === null) {
	const empty = document.getElementById("empty");

	empty.textContent = "No event of this trace has a time.";
	empty.hidden = false;
}
readColours();
resize();
listen();

/* For tests, and for who is curious. */
window.commcache = {
	data, threads, processes, view,
	state: () => ({
		from: view.from,
		to: view.to,
		top: view.top,
		query: view.query,
		found: view.found,
		rows: view.rows.length,
		chosen: view.chosen && view.chosen.index,
		tip: tip.hidden ? null : tip.innerText,
		frames: frames,
	}),
	xOf, timeOf, rowOf, look, fit, search, clockTime, drawAll, colours,
	labelOf: (thread) => labelName(thread).text,
	colourOf: (number) => [solid[number], soft[number]],
};

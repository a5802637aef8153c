"use strict";
// Reloads the page when the server has another state than the one that the page was made of. A hidden page closes its stream, because
// browsers open only six connections to a host, and asks again when it is shown.
(() => {
	const shown = document.currentScript.dataset.state;
	let stream;
	const listen = () => {
		if (stream) {
			stream.close();
			stream = undefined;
		}
		if (document.visibilityState === "visible") {
			stream = new EventSource("/.aml/events");
			stream.onmessage = (e) => {
				if (e.data !== shown) {
					location.reload();
				}
			};
		}
	};
	document.addEventListener("visibilitychange", listen);
	listen();
})();
